import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { PACKAGE_FOLDER } from '../package/package-folder.js';

/** A resource of Kubernetes as its file has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

interface Container {
  readonly args: readonly string[];
}

/** The text of a file in `deploy/`. */
export const deployFile = (name: string): string => readFileSync(join(PACKAGE_FOLDER, 'deploy', name), 'utf8');

/** All resources of a file of manifests. */
export const manifestsOf = (name: string): Manifest[] =>
  parseAllDocuments(deployFile(name)).map((document) => document.toJS() as Manifest);

/** The resource of one kind. */
export function manifestOf(name: string, kind: string): unknown {
  const found = manifestsOf(name).find((manifest) => manifest.kind === kind);
  if (found === undefined) throw new Error(`${name} has no ${kind}`);
  return found;
}

/** The arguments of the container in a Deployment or StatefulSet, as the server gets them in one of its pods. */
export function containerArgs(name: string, kind = 'Deployment', pod = 'coordinator-0'): string[] {
  const { spec } = manifestOf(name, kind) as { spec: { template: { spec: { containers: [Container] } } } };
  return spec.template.spec.containers[0].args.map((arg) =>
    arg.replaceAll('$(POD_NAME)', pod).replaceAll('$(POD_NAMESPACE)', 'default'),
  );
}

/** A command line of the systemd unit, behind the name of the script. */
export function unitArgs(): string[] {
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(deployFile('express-endpoint-listing.service')) ?? [];
  return command.split(' ').slice(2);
}

/** The arguments of each service of the compose file that runs the command. */
export function composeArgs(): string[][] {
  const { services } = parse(deployFile('compose.yaml'), { merge: true }) as {
    services: Record<string, { image: string; command: string[] }>;
  };
  return Object.values(services)
    .filter(({ image }) => image === 'endpoint-listing')
    .map(({ command }) => command);
}

/** What the image starts: `ENTRYPOINT`, and `CMD` if there is one. */
export function imageCommand(): string[] {
  const lines = deployFile('Dockerfile').matchAll(/^(?:ENTRYPOINT|CMD) (\[.*\])$/gm);
  return Array.from(lines, ([, json = '[]']) => JSON.parse(json) as string[]).flat();
}
