/** How a report is laid out. */
export interface Layout {
  /** Columns of the terminal; `Infinity` where nothing has to be wrapped. */
  readonly width: number;
  readonly colors: boolean;
}

const COLORS = { green: 32, yellow: 33, red: 31, bold: 1 } as const;
/** The name of a color. */
export type Color = keyof typeof COLORS;

export function painted(text: string, color: Color, { colors }: Layout): string {
  return colors ? `\u001b[${String(COLORS[color])}m${text}\u001b[0m` : text;
}

/** The lines of a text that fit a width, broken at blanks, and within a word that is longer than a line. */
export function wrapped(text: string, width: number): [string, ...string[]] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
  }
  lines.push(line);
  return lines as [string, ...string[]];
}
