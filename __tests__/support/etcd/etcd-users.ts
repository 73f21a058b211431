import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askEtcd, rangeOf } from './etcd-ask.js';

export const ROOT = { username: 'root', password: 'the password of root' };
/** May read and write what begins with `/coordinators/`. */
export const COORDINATOR = { username: 'coordinator', password: 'a "long" password \\ of a coordinator' };
/** May do nothing. */
export const STRANGER = { username: 'stranger', password: 'the password of a stranger' };

/** So that etcd gives tokens that end after some seconds, however often they are used; its simple ones would not. */
export async function shortTokens(folder: string, seconds: number): Promise<string[]> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [pub, priv] = [join(folder, 'token.pub'), join(folder, 'token.key')];
  await writeFile(pub, publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(priv, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return ['--auth-token', `jwt,pub-key=${pub},priv-key=${priv},sign-method=RS256,ttl=${String(seconds)}s`];
}

/** Makes the three users, and lets nobody else in from now on. */
export async function demandPasswords(url: string): Promise<void> {
  const ask = (path: string, body: object) => askEtcd(url, `/v3/auth/${path}`, body);
  for (const { username, password } of [ROOT, COORDINATOR, STRANGER]) {
    await ask('user/add', { name: username, password });
  }
  for (const role of ['root', 'coordinator']) {
    await ask('role/add', { name: role });
    await ask('user/grant', { user: role, role });
  }
  await ask('role/grant', { name: 'coordinator', perm: { permType: 'READWRITE', ...rangeOf('/coordinators/') } });
  await ask('enable', {});
}
