import { createLog } from '../../../adapters/logs/log.ts';
import { createLogFile } from '../../../adapters/logs/log-file.ts';

/** Writes that many lines, the size of a file and the number of files given. */
const [folder = '', name = '', lines = '', fileBytes = '', files = ''] = process.argv.slice(2);
const file = createLogFile({ folder, fileBytes: Number(fileBytes), files: Number(files) });
const log = createLog({
  folder,
  level: 'info',
  secrets: [],
  pid: process.pid,
  now: () => new Date().toISOString(),
  file,
});
for (let at = 0; at < Number(lines); at += 1) {
  log.info('line', { name, at, text: 'x'.repeat(100) });
  if (log.fault !== null) throw new Error(log.fault);
}
