export { startTui } from './start.tsx';
