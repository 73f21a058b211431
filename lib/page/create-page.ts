import { Router, type Request, type Response } from 'express';
import style from './browser/listing-page.css';
import script from './browser/listing-page.js';
import { makeRoom } from '../request/deadline.js';
import { pageOf } from './document.js';
import { History } from './history.js';
import { pageSettings, type ListingPageOptions } from './options.js';
import { entriesOf, viewOf } from './view.js';

/** What a browser may do with the page: run the one script, and try endpoints, wherever they are. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
};

/**
 * Creates a router that serves one page for people: what the server lists, how current it is, and which endpoints your browser can
 * reach. Mount it below a path of its own, behind the authentication of the host application, for it shows addresses:
 *
 *     app.use('/listing', authenticate, createListingPage({ role, endpoints, directory }));
 *
 * It answers `GET` of the document, of `listing-page.js` and of `listing-page.css`; everything else goes on to the host application.
 *
 * @throws `TypeError` for a bad option, naming the option, the value and what is allowed.
 */
export function createListingPage(options: ListingPageOptions): Router {
  const settings = pageSettings(options);
  const history = new History();
  const { directory } = settings;
  if (directory !== undefined) {
    makeRoom(directory, 1);
    directory.on('change', (endpoints) => history.follow(endpoints, entriesOf(directory), performance.now()));
  }

  async function showPage(req: Request, res: Response): Promise<void> {
    const path = req.originalUrl.replace(/\?.*/s, '');
    const query = req.originalUrl.slice(path.length);
    // Its script and style are found beside it.
    if (!path.endsWith('/')) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      res.writeHead(308, { ...HEADERS, Location: `./${name}/${query}` }).end();
      return;
    }
    answer(res, 'text/html', await pageOf(await viewOf(settings, history, req)));
  }

  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', (req, res, next) => {
    showPage(req, res).catch(next);
  });
  router.get('/listing-page.js', (_req, res) => answer(res, 'text/javascript', script));
  router.get('/listing-page.css', (_req, res) => answer(res, 'text/css', style));
  return router;
}

function answer(res: Response, type: string, text: string): void {
  const body = Buffer.from(text);
  res.writeHead(200, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': body.byteLength });
  res.end(body);
}
