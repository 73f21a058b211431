import { readFileSync } from 'node:fs';
import { majorOf, worseThanCommitted, type CommittedRatios } from '../../bench/committed.js';
import { GUARDED } from '../../bench/count-plan.js';
import { nameOf } from '../../bench/variant.js';

describe('A committed ratio', () => {
  const committed = { '20.20.2': { router: 1.1, 405: 1.2 }, '26.4.0': { router: 1.3 } };

  it.each([
    ['may be exceeded by 5 %', '20.1.0', { router: 1.155, 405: 1.26 }, []],
    [
      'fails a check beyond that, by name',
      '20.20.2',
      { router: 1.166, 405: 1.2 },
      ['Node 20.20.2, router: 1.166 x bare node:http, 6.0 % above the committed 1.100'],
    ],
    [
      'fails a check that has not counted it',
      '26.4.0',
      {},
      ['Node 26.4.0, router: NaN x bare node:http, NaN % above the committed 1.300'],
    ],
    ['fails a check on a major version that has none', '22.0.0', {}, ['nothing is committed for Node 22.0.0']],
  ])('%s', (_what, version, counted, complaints) =>
    expect(worseThanCommitted(version, counted, committed)).toEqual(complaints),
  );

  it('is there for each that is guarded, on the oldest Node', () => {
    const all = JSON.parse(readFileSync('bench/committed-ratios.json', 'utf8')) as CommittedRatios;
    expect(Object.keys(all).map(majorOf)).toContain('20');
    for (const ratios of Object.values(all)) expect(Object.keys(ratios)).toEqual(GUARDED.map(nameOf));
  });
});
