/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may stand in a template: text and numbers are escaped, markup is taken as it is, and nothing is no text. */
type Part = string | number | Markup | readonly Markup[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML in which every value is escaped: right between tags and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = String(strings[0]);
  parts.forEach((part, index) => {
    text += escapedForHtml(part) + String(strings[index + 1]);
  });
  return new Markup(text);
}

function escapedForHtml(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  const text = String(part);
  return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => String(ENTITIES[character])) : text;
}
