import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

const IGNORED = new Set(['node_modules', '.git', 'dist', 'build', 'coverage', 'reports', '.stryker-tmp']);

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const withoutBlocks = (page: string): string => readFileSync(page, 'utf8').replace(/^( *)(`{3,})[^]*?^\1\2/gm, '');

/** A page without its code, in which nothing is a link. */
const proseOf = (page: string): string => withoutBlocks(page).replace(/`[^`\n]*`/g, '');

/** The name that the usual hosts give the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const anchorsOf = (page: string): string[] =>
  Array.from(withoutBlocks(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading));

const linksOf = (page: string): string[] => Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, to = '']) => to);

function isBroken(page: string, link: string): boolean {
  if (/^https?:/.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

const README = join(PACKAGE_FOLDER, 'README.md');

describe('Every link of a page leads to a file of the repository, and to a heading in it:', () =>
  it.each(pagesIn(PACKAGE_FOLDER).map((page) => relative(PACKAGE_FOLDER, page)))('%s', (name) => {
    const page = join(PACKAGE_FOLDER, name);
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
  }));

describe('The README', () => {
  it('has at most 250 lines', () =>
    expect(readFileSync(README, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(250));

  it('links every page of docs', () => {
    const linked = new Set(linksOf(README));
    const pages = readdirSync(join(PACKAGE_FOLDER, 'docs')).filter((file) => file.endsWith('.md'));
    expect(pages.filter((file) => !linked.has(`docs/${file}`))).toEqual([]);
  });
});
