export { startTui, type TuiEnd, type TuiOptions } from './start.tsx';
