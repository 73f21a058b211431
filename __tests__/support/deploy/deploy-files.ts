import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
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

/** The arguments of the container in a Deployment, as the server gets them. */
export function containerArgs(name: string): string[] {
  const { spec } = manifestOf(name, 'Deployment') as { spec: { template: { spec: { containers: [Container] } } } };
  return spec.template.spec.containers[0].args.map((arg) => arg.replace('$(POD_IP)', '10.1.2.3'));
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

/** What is in the Dockerfile. */
export interface Dockerfile {
  /** What a linter says. */
  readonly findings: readonly string[];
  /** The shell commands of `RUN`. */
  readonly run: readonly string[];
  /** What the container starts: `ENTRYPOINT` and `CMD`. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

export function readDockerfile(): Dockerfile {
  const text = deployFile('Dockerfile');
  const instructions = DockerfileParser.parse(text).getInstructions();
  const argumentsOf = (keyword: string): string[] =>
    instructions
      .filter((instruction) => instruction.getKeyword() === keyword)
      .map((instruction) => instruction.getRawArgumentsContent() ?? '');
  const list = (json: string | undefined): string[] => JSON.parse(json ?? '[]') as string[];
  return {
    findings: validate(text).map(({ message }) => (typeof message === 'string' ? message : message.value)),
    run: argumentsOf('RUN').map((command) => command.replace(/\\\n/g, '')),
    command: [...list(argumentsOf('ENTRYPOINT')[0]), ...list(argumentsOf('CMD')[0])],
    healthCheck: list(/CMD (\[.*\])/s.exec(argumentsOf('HEALTHCHECK')[0] ?? '')?.[1]),
  };
}
