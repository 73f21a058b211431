/** A fenced code block of a Markdown file. */
export interface CodeBlock {
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** The first word behind the fence, such as `ts`. */
  readonly language: string;
  /** The words after it, which no reader sees: what is to be done with the block. */
  readonly mark: string;
  readonly text: string;
}

/**
 * The fenced code blocks of a Markdown text, indented ones too.
 *
 * By hand: the fences of CommonMark take one pattern, and a Markdown library would be one more dependency for it.
 *
 * @throws `Error` for a fence that is never closed.
 */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let line = 0; line < lines.length; line += 1) {
    const opening = /^(\s*)(`{3,}|~{3,})\s*(\S*)\s*(.*?)\s*$/.exec(lines[line] ?? '');
    if (opening === null) continue;
    const [, indent = '', fence = '', language = '', mark = ''] = opening;
    const closing = lines.findIndex((text, at) => at > line && text.trim().startsWith(fence) && !/[^`~\s]/.test(text));
    if (closing < 0) throw new Error(`line ${String(line + 1)}: the code block is never closed`);
    const inside = lines.slice(line + 1, closing);
    const text = inside.map((text) => `${text.startsWith(indent) ? text.slice(indent.length) : text}\n`).join('');
    blocks.push({ line: line + 1, language, mark, text });
    line = closing;
  }
  return blocks;
}
