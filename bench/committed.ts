/** Ratios of counts to that of bare `node:http`, by version of Node: each major version has its own. */
export type CommittedRatios = Readonly<Record<string, Ratios>>;
export type Ratios = Readonly<Record<string, number>>;

/** What a ratio may be above the committed one, as a share: several times what two counts of the same code are apart. */
const ALLOWANCE = 0.05;

export const majorOf = (version: string): string => version.split('.', 1)[0] ?? '';

/** What has become worse than what was committed for this major version of Node, in words; empty when nothing has. */
export function worseThanCommitted(node: string, ratios: Ratios, all: CommittedRatios): string[] {
  const [, toBare] = Object.entries(all).find(([version]) => majorOf(version) === majorOf(node)) ?? [];
  if (toBare === undefined) return [`nothing is committed for Node ${node}`];
  return Object.entries(toBare).flatMap(([name, committed]) => {
    const ratio = ratios[name] ?? NaN;
    if (ratio <= committed * (1 + ALLOWANCE)) return [];
    const change = ((ratio / committed - 1) * 100).toFixed(1);
    return [
      `Node ${node}, ${name}: ${ratio.toFixed(3)} x bare node:http, ${change} % above the committed ${committed.toFixed(3)}`,
    ];
  });
}
