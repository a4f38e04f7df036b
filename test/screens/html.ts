import type { Cell } from '../support/terminal.ts';

/** The terminal's 16 colours and its own two, readable on the dark ground of the pictures. */
const colours = [
  '#4d5566',
  '#f07178',
  '#a6d189',
  '#e5c07b',
  '#7aa2f7',
  '#c792ea',
  '#7fd5ea',
  '#d0d4dc',
  '#6b7385',
  '#ff8b92',
  '#bde6a1',
  '#f7d794',
  '#9cbcff',
  '#ddb3f8',
  '#a3e9f8',
  '#ffffff',
];
const ground = '#1b1f27';
const ink = '#d0d4dc';

/** Whole pixels for a cell, and the size at which the font advances by just as much: small pictures. */
const font = 11.63;
const cellWidth = 7;
const cellHeight = 15;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function look({ colour, bold, dim, italic, inverse }: Cell): string {
  const own = colours[colour] ?? ink;
  return [
    `color:${inverse ? ground : own}`,
    ...(inverse ? [`background:${own}`] : []),
    ...(bold ? ['font-weight:bold'] : []),
    ...(dim ? ['opacity:.6'] : []),
    ...(italic ? ['font-style:italic'] : []),
  ].join(';');
}

/** Each cell has its own place, so that no font moves what stands beside a wide character. */
function rowHtml(row: readonly Cell[], y: number): string {
  let x = 0;
  return row
    .map((cell) => {
      const left = x * cellWidth;
      x += cell.width;
      if (cell.text === ' ' && !cell.inverse) return '';
      const place = `left:${left}px;top:${y * cellHeight}px;width:${cell.width * cellWidth}px`;
      return `<i style="${place};${look(cell)}">${escaped(cell.text)}</i>`;
    })
    .join('');
}

/** A page that is the screen; `cursor` in cells, null while it is hidden. */
export function screenHtml(
  cells: readonly (readonly Cell[])[],
  cursor: { x: number; y: number } | null,
): string {
  const columns = Math.max(...cells.map((row) => row.reduce((sum, cell) => sum + cell.width, 0)));
  const size = `width:${Math.ceil(columns * cellWidth)}px;height:${cells.length * cellHeight}px`;
  const caret =
    cursor === null
      ? ''
      : `<b style="left:${cursor.x * cellWidth}px;top:${cursor.y * cellHeight + 2}px"></b>`;
  return `<!doctype html><meta charset="utf-8"><style>
body{margin:0;background:${ground}}
main{position:relative;margin:8px;${size};font:${font}px/${cellHeight}px 'DejaVu Sans Mono',monospace}
i{position:absolute;font-style:normal;white-space:pre}
b{position:absolute;width:2px;height:${cellHeight - 4}px;background:${ink}}
</style><main>${cells.map(rowHtml).join('')}${caret}</main>`;
}
