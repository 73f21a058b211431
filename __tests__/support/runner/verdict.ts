import { EndpointSyntaxError, formatEndpoint, parseEndpoint } from '../../../lib/index.js';

/** What becomes of a text: its canonical form, or the reason why it is refused. */
type Verdict = ['becomes', canonical: string] | ['is refused:', reason: string];

/** What the package says of one text. Whatever else it throws passes through, and fails the test. */
export function verdictOn(text: string): Verdict {
  try {
    return ['becomes', formatEndpoint(parseEndpoint(text))];
  } catch (error) {
    if (error instanceof EndpointSyntaxError) return ['is refused:', error.reason];
    throw error;
  }
}

/** A text as the name of a test: quoted, and cut when it is long. */
export function testName(text: string): string {
  return text.length < 100
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, 30))}... (${String(text.length)} characters)`;
}
