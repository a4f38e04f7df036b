import { config } from 'zod';

// Before any schema is made: zod would try to compile them, which the page's content security policy does not allow.
config({ jitless: true });
