import * as http from 'node:http';
import * as https from 'node:https';

/** An answer to one request. */
export interface Answer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Asks the server behind an endpoint, as it stands in a listing, on a connection of its own. */
export function ask(endpoint: string, { path = '/', ca }: { path?: string; ca?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const [, scheme, rest = ''] = /^(\w+):\/\/(.*)$/.exec(endpoint) ?? [];
    const answered = (res: http.IncomingMessage): void => {
      let body = '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      res.on('error', reject).on('end', () => resolve({ status: res.statusCode, headers: res.headers, body }));
    };
    // Node 22 compares an IPv6 address with the one in a certificate letter for letter, and has them in two forms.
    const servername = rest.startsWith('[') ? 'localhost' : '';
    const sent =
      scheme === 'unix'
        ? http.get({ socketPath: rest, path, agent: false }, answered)
        : scheme === 'ssl'
          ? https.get(
              `https://${rest}${path}`,
              { agent: false, servername, ...(ca === undefined ? {} : { ca }) },
              answered,
            )
          : http.get(`http://${rest}`, { path, agent: false }, answered);
    sent.on('error', reject);
  });
}
