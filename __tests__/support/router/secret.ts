/** The word that tests put into whatever a host application keeps to itself. */
export const SECRET = 'secret';

/** What the secret looks like once somebody has encoded it. */
const DISGUISES = [
  SECRET,
  Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
  Buffer.from(SECRET).toString('hex'),
  Buffer.from(SECRET, 'utf16le').toString('latin1'),
];

/** Whether the secret stands in some bytes, in plain text or disguised. */
export function showsSecret(bytes: string): boolean {
  const text = bytes.toLowerCase();
  return DISGUISES.some((disguise) => text.includes(disguise.toLowerCase()));
}
