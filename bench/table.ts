/** The first row is the head; all columns but the first are figures. */
export type Rows = readonly (readonly string[])[];

/** Lines up the columns for a terminal: the first to the left, the figures to the right. */
export function terminalTable(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))),
  );
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}

export function markdownTable(rows: Rows): string {
  const [head = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll('|', ',')));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...body.map(line)].join('\n');
}
