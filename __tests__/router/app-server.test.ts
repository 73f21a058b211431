import express, { type Express, type Request, type Response } from 'express';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import request from 'supertest';
import { appClasses, createAppServer, type AppServerOptions } from '../../lib/listen/index.js';
import { makeCertificate } from '../support/certificate.js';
import { startOnFreePort } from '../support/process/free-port.js';
import { rawAnswer } from '../support/router/raw.js';

const UPGRADE = 'GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

const greeter = (words: string) => ({ greet: () => words });

/** An application that answers with what `app.request` and `app.response` of the host can do. */
function greetingApp(): Express {
  const app = express();
  app.get('/', (req, res) => {
    const { greet = () => 'nothing' } = req as Request & Partial<ReturnType<typeof greeter>>;
    res.type('text').send(greet());
  });
  return app;
}

async function get(server: http.Server, path: string): Promise<string> {
  return (await request(server).get(path).expect(200)).text;
}

describe('A server made by createAppServer', () => {
  it('makes requests and responses with the prototypes of the application, before Express sees them', async () => {
    const app = express();
    const seen: string[] = [];
    const look = (when: string, req: object, res: object): void => {
      const right = Object.getPrototypeOf(req) === app.request && Object.getPrototypeOf(res) === app.response;
      seen.push(`${when}: ${right ? 'right' : 'wrong'}`);
    };
    app.get('/', (req, res) => {
      look('in a handler', req, res);
      res.end();
    });
    const server = createAppServer(app);
    server.prependListener('request', (req, res) => look('before Express', req, res));

    await get(server, '/');

    expect(seen).toEqual(['before Express: right', 'in a handler: right']);
  });

  it('makes requests that share one hidden class, which is where the speed comes from', async () => {
    // V8 alone knows; the flag stays on for this file, whose functions are compiled when they are first called.
    setFlagsFromString('--allow-natives-syntax');
    const script = new Script('(a, b) => %HaveSameMap(a, b)');
    const haveSameMap = script.runInThisContext() as (a: object, b: object) => boolean;
    const app = express();
    const seen: [Request, Response][] = [];
    app.get('/', (req, res) => {
      seen.push([req, res]);
      res.end();
    });
    const server = createAppServer(app);
    for (let count = 0; count < 10; count++) await get(server, '/');

    const [[req, res], [laterReq, laterRes]] = seen.slice(-2) as [(typeof seen)[0], (typeof seen)[0]];
    expect([haveSameMap(req, laterReq), haveSameMap(res, laterRes)]).toEqual([true, true]);
  });

  it('makes instances of http.IncomingMessage and http.ServerResponse, which bear those names', async () => {
    const app = express();
    app.get('/', (req, res) => {
      res.json([
        req instanceof http.IncomingMessage,
        res instanceof http.ServerResponse,
        req.constructor.name,
        res.constructor.name,
      ]);
    });

    expect(await get(createAppServer(app), '/')).toBe('[true,true,"IncomingMessage","ServerResponse"]');
  });

  it('passes the options of http.createServer on', async () => {
    const server = createAppServer(express(), { maxHeaderSize: 1000, keepAliveTimeout: 1234 });

    expect(server.keepAliveTimeout).toBe(1234);
    await request(server).get('/').set('X-Long', 'x'.repeat(1000)).expect(431);
  });

  it.each([{}, { keepAliveTimeout: undefined }])('keeps an idle connection for 300 s by default: %p', (options) =>
    expect(createAppServer(express(), options as AppServerOptions).keepAliveTimeout).toBe(300_000),
  );

  it('ends an idle connection at once when it closes', async () => {
    const server = createAppServer(express());
    const socket = connect(await startOnFreePort(server), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'close');
    await new Promise((resolve) => server.close(resolve));
    await ended;
  });

  it.each(['IncomingMessage', 'ServerResponse'])('refuses the option %s, also as undefined', (name) =>
    expect(() => createAppServer(express(), { [name]: undefined })).toThrow(
      new TypeError(`option ${name} is not allowed, the application has its own`),
    ),
  );

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['object', {}],
    ['function', () => undefined],
    ['function', express.Router()],
    ['function', Object.assign(() => undefined, { request: {}, response: {} })],
  ])('refuses what is not an Express application: %s', (kind, app) =>
    expect(() => createAppServer(app as Express)).toThrow(
      new TypeError(`app must be an Express application, got ${kind}`),
    ),
  );

  it('shares its classes with the next server of the same application, and with no other application', () => {
    const app = express();
    const classes = appClasses(app);
    createAppServer(app);

    expect(appClasses(app)).toEqual(classes);
    expect(appClasses(express()).IncomingMessage).not.toBe(classes.IncomingMessage);
    expect(appClasses(express()).ServerResponse).not.toBe(classes.ServerResponse);
  });
});

describe('What the host puts on app.request and app.response', () => {
  it('is there when it was put before the server was made, after that, and when it is put a second time', async () => {
    const app = greetingApp();
    Object.assign(app.request, greeter('before'));
    const server = createAppServer(app);
    expect(await get(server, '/')).toBe('before');

    for (const words of ['after', 'again']) {
      Object.assign(app.request, greeter(words));
      expect(await get(server, '/')).toBe(words);
    }
  });

  it('is there when it is a getter, a symbol or hidden', async () => {
    const app = express();
    const symbol = Symbol('mark');
    Object.defineProperty(app.response, 'getter', { get: () => 'got' });
    Object.defineProperty(app.response, symbol, { value: 'marked', enumerable: false });
    app.get('/', (_req, res) => {
      res.json([Reflect.get(res, 'getter'), Reflect.get(res, symbol)]);
    });

    expect(await get(createAppServer(app), '/')).toBe('["got","marked"]');
  });

  it('reaches an application that was mounted before the server was made, or after, whenever it is put', async () => {
    const app = express();
    Object.assign(app.request, greeter('first'));
    app.use('/sub', greetingApp());
    const server = createAppServer(app);
    expect(await get(server, '/sub')).toBe('first');

    app.use('/late', greetingApp());
    Object.assign(app.request, greeter('second'));
    expect([await get(server, '/sub'), await get(server, '/late')]).toEqual(['second', 'second']);
  });

  it('reaches mounted applications only, when it is put on an object that was saved from there before', async () => {
    const app = greetingApp();
    app.use('/sub', greetingApp());
    const saved = app.request;
    const server = createAppServer(app);
    Object.assign(saved, greeter('saved'));

    expect([await get(server, '/'), await get(server, '/sub')]).toEqual(['nothing', 'saved']);
  });

  it('is hidden by what a mounted application puts on its own, and is back behind it', async () => {
    const app = express();
    Object.assign(app.request, greeter('host'));
    const sub = express();
    Object.assign(sub.request, greeter('mounted'));
    const seen: string[] = [];
    const note: express.RequestHandler = (req, res, next) => {
      const { greet } = req as unknown as ReturnType<typeof greeter>;
      seen.push(`${greet()} ${req.app === app ? 'app' : 'sub'} ${res.app === app ? 'app' : 'sub'}`);
      next();
    };
    sub.use(note);
    app.use(note, sub, note, (_req, res) => {
      res.end();
    });

    await get(createAppServer(app), '/');

    expect(seen).toEqual(['host app app', 'mounted sub sub', 'host app app']);
  });

  it('stays when the application with the server is mounted in another one', async () => {
    const app = greetingApp();
    Object.assign(app.request, greeter('own'));
    const server = createAppServer(app);
    const parent = express();
    parent.use('/in', app);

    expect(await get(server, '/')).toBe('own');
    expect(await get(createAppServer(parent), '/in')).toBe('own');
    expect(await get(http.createServer(parent), '/in')).toBe('own');
  });

  it('may be a whole new object that inherits from the one before', async () => {
    const app = greetingApp();
    app.request = Object.assign(Object.create(app.request) as typeof app.request, greeter('inherited'));
    const server = createAppServer(app);
    expect(await get(server, '/')).toBe('inherited');

    app.request = Object.assign(Object.create(app.request) as typeof app.request, greeter('inherited again'));
    expect(await get(server, '/')).toBe('inherited again');
    expect(await get(createAppServer(app), '/')).toBe('inherited again');
  });

  it('may be the prototype of a class that the host made for its requests, which is then the class of the server', () => {
    class HostRequest extends http.IncomingMessage {}
    const app = express();
    Object.setPrototypeOf(HostRequest.prototype, app.request);
    app.request = HostRequest.prototype as typeof app.request;

    expect(appClasses(app).IncomingMessage).toBe(HostRequest);
  });

  it('may be the prototype of a class that makes no requests, which is then not asked for any', async () => {
    class Extension {
      greet(): string {
        return 'extended';
      }
    }
    const app = greetingApp();
    Object.setPrototypeOf(Extension.prototype, app.request);
    app.request = Extension.prototype as unknown as typeof app.request;

    expect(await get(createAppServer(app), '/')).toBe('extended');
  });

  it('is not taken from express.request, which all applications share', async () => {
    const app = greetingApp();
    app.request = express.request as typeof app.request;
    const before = Object.keys(express.request);
    createAppServer(app);
    Object.assign(app.request, greeter('mine alone'));

    expect(Object.keys(express.request)).toEqual(before);
    expect(await get(createAppServer(greetingApp()), '/')).toBe('nothing');
  });
});

describe('Requests and responses of such a server behave as those of any other', () => {
  it('lets a request be read as a stream, and a response be piped to', async () => {
    const app = express();
    app.post('/', (req, res) => {
      req.pipe(res);
    });
    const body = 'x'.repeat(100_000);

    await request(createAppServer(app)).post('/').type('text').send(body).expect(200, body);
  });

  it('hands upgrade requests to the upgrade listener, with a socket that both sides can use', async () => {
    const app = express();
    const server = createAppServer(app);
    const seen: unknown[] = [];
    server.on('upgrade', (req: http.IncomingMessage, socket, head) => {
      seen.push(req instanceof http.IncomingMessage, req.url, req.headers.upgrade, head.toString());
      socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n${head.toString()}`);
    });

    const received = await rawAnswer(server, `${UPGRADE}hello`);

    expect(seen).toEqual([true, '/chat', 'echo', 'hello']);
    expect(received).toBe('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello');
  });

  it('shows the getters of Express also to listeners that come before Express', async () => {
    const server = createAppServer(express());
    let seen: unknown[] = [];
    server.on('upgrade', (req: Request, socket) => {
      seen = [req.path, req.ip, Reflect.set(req, 'path', '/other')];
      socket.end();
    });

    await rawAnswer(server, UPGRADE);

    expect(seen).toEqual(['/chat', '127.0.0.1', false]);
  });

  it('can be had from a server of node:https with appClasses', async () => {
    const app = express();
    app.get('/', (req, res) => {
      res.json([req.secure, Object.getPrototypeOf(req) === app.request]);
    });
    const { key, cert } = await makeCertificate();
    const server = https.createServer({ key, cert, ...appClasses(app) }, app);
    const port = await startOnFreePort(server);

    const answer = await request(`https://localhost:${String(port)}`)
      .get('/')
      .ca(cert);
    server.close();

    expect(answer.text).toBe('[true,true]');
  });
});
