import type { ChosenValues } from './chosen-values.js';
import type { Report } from './place.js';

/** The options that say where the list of Coordinators comes from. */
const LIST_OPTIONS = ['cluster.coordinator', 'cluster.agency-endpoint', 'cluster.my-srv-name'] as const;

/**
 * Checks what the values have to do with each other: who gives a list of Coordinators is in a cluster and needs a role in it,
 * and who gives an agency needs an address to register there.
 *
 * A role without a list is no mistake: the host application may have a list of its own.
 */
export function checkDeployment(chosen: ChosenValues, report: Report): void {
  const lists = LIST_OPTIONS.flatMap((name) => chosen.get(name)?.slice(0, 1) ?? []);
  const [list, otherList] = lists;
  if (list === undefined) return;

  if (otherList !== undefined) {
    report(otherList.place, `${list.name} gives the list already: only one of ${LIST_OPTIONS.join(', ')} can`);
  }
  const role = chosen.get('cluster.my-role')?.[0]?.value ?? 'SINGLE';
  if (role === 'SINGLE')
    report(list.place, `${list.name} needs cluster.my-role: COORDINATOR, DBSERVER, PRIMARY or AGENT`);

  const agency = lists.find(({ name }) => name === 'cluster.agency-endpoint');
  if (agency !== undefined && !chosen.has('cluster.my-address')) {
    report(agency.place, 'cluster.agency-endpoint needs cluster.my-address, to register there');
  }
}
