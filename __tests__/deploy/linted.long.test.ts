import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from '../support/readme/compile.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { deployFile, manifestsOf, type Manifest } from '../support/deploy/deploy-files.js';

const UNIT = 'express-endpoint-listing.service';
const FILES = ['kubernetes/gateway.yaml', 'kubernetes/cluster.yaml'];
/** Every kind that the files have, and where its schema and its type are. */
const KINDS: Readonly<Record<string, string>> = {
  ConfigMap: 'kubernetes-models/v1/ConfigMap',
  Deployment: 'kubernetes-models/apps/v1/Deployment',
  StatefulSet: 'kubernetes-models/apps/v1/StatefulSet',
  Ingress: 'kubernetes-models/networking.k8s.io/v1/Ingress',
  PodDisruptionBudget: 'kubernetes-models/policy/v1/PodDisruptionBudget',
  Service: 'kubernetes-models/v1/Service',
};

function moduleOf({ kind }: Manifest): string {
  const name = KINDS[kind];
  if (name === undefined) throw new Error(`no schema is known for ${kind}`);
  return name;
}

/** Loaded without its types, which do not pass the strict check of libraries that this project has. */
function validate(manifest: Manifest): void {
  const models = jest.requireActual<Record<string, new (manifest: Manifest) => { validate(): void }>>(
    moduleOf(manifest),
  );
  const Model = models[manifest.kind];
  if (Model === undefined) throw new Error(`${moduleOf(manifest)} has no ${manifest.kind}`);
  new Model(manifest).validate();
}

describe('The Kubernetes manifests', () => {
  it.each(FILES)('match the published schemas of their kinds: %s', (file) => {
    for (const manifest of manifestsOf(file)) expect(() => validate(manifest)).not.toThrow();
  });

  it('would be refused with a value of another type', () => {
    const [, deployment] = manifestsOf('kubernetes/gateway.yaml');
    const wrong = { ...deployment, spec: { replicas: 'two' } } as unknown as Manifest;
    expect(() => validate(wrong)).toThrow('replicas must be integer');
  });

  it('have no field that their kinds do not know: the compiler finds none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
    try {
      symlinkSync(join(PACKAGE_FOLDER, 'tools/node_modules'), join(folder, 'node_modules'));
      const manifests = FILES.flatMap(manifestsOf);
      const source = [...manifests, { ...manifests[0], dta: {} } as Manifest].map((manifest, index) => {
        const name = `I${manifest.kind}${String(index)}`;
        const type = `import type { I${manifest.kind} as ${name} } from '${moduleOf(manifest)}';`;
        return `${type}\nexport const manifest${String(index)}: ${name} = ${JSON.stringify(manifest)};\n`;
      });
      const path = join(folder, 'manifests.ts');
      writeFileSync(path, source.join(''));
      const complaints = compile(folder, [path]).filter(({ file }) => file === path);
      expect(complaints.map(({ message }) => message)).toEqual([
        "Object literal may only specify known properties, and '\"dta\"' does not exist in type 'IConfigMap'.",
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('The Dockerfile', () =>
  it('ends with a user that is not root, named by number', () =>
    expect(/^USER (\d+):\d+$/m.exec(deployFile('Dockerfile'))?.[1]).toBe('65532')));

describe('The systemd unit', () => {
  it('is accepted by systemd-analyze verify', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    try {
      // Where Node is on this machine: systemd looks whether the program is there.
      const text = deployFile(UNIT).replace('/usr/bin/node', process.execPath);
      writeFileSync(join(folder, UNIT), text);
      const complaints = execFileSync('systemd-analyze', ['verify', join(folder, UNIT)], { encoding: 'utf8' });
      expect(complaints).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is exposed no more than 1.5 by the count of systemd-analyze security, of 10', () => {
    const file = join(PACKAGE_FOLDER, 'deploy', UNIT);
    const printed = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
      encoding: 'utf8',
    });
    const [, exposure = '10'] = /Overall exposure level for [^:]*: ([\d.]+)/.exec(printed) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(1.5);
  });
});
