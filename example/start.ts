import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Starts the example that the command line names, as `node example/dist/<name>.js` would: `npm run example -- gateway`. */
const [name = ''] = process.argv.slice(2);
const NO_HOSTS = ['start.js', 'route-label.js'];
const scripts = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.js') && !NO_HOSTS.includes(file));
const script = `${name}.js`;

if (scripts.includes(script)) {
  const file = join(import.meta.dirname, script);
  process.argv.splice(1, 2, file);
  console.log(`starting ${name}; example/README.md has a curl line to try`);
  await import(file);
} else {
  const names = scripts.map((file) => file.slice(0, -'.js'.length)).sort();
  console.error(`usage: npm run example -- <name>, one of: ${names.join(', ')}`);
  process.exitCode = 1;
}
