/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may stand in a template: text and numbers are escaped, markup is taken as it is. */
type Part = string | number | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML in which every value is escaped: right between tags and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(escapedForHtml)));
}

/** No markup: for what is there only at times. */
export const NOTHING = new Markup('');

function escapedForHtml(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replaceAll(/[&<>"']/g, (character) => String(ENTITIES[character]));
}
