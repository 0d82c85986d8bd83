import type { OperatorHealth } from "../../../sdk/index.ts";
import { formatCount } from "../../components/charts/format-number.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";

type Queues = NonNullable<OperatorHealth["queues"]>;

const QUEUES = {
  webhook_deliveries: "Webhook deliveries",
  session_removals: "Sessions to erase",
  tenant_removals: "Tenants to erase",
  file_removals: "Files to erase",
} as const satisfies Record<keyof Queues, string>;

/** Work that waits; what is overdue means that jobs were lost or that the sweep does not run. */
export function Backlogs({ queues }: { readonly queues: Queues }) {
  return (
    <section className="section" aria-label="Queues">
      <h2>Queues</h2>
      <div className="table-region" role="region" aria-label="Work that waits" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col" data-align="end">
                Waiting
              </th>
              <th scope="col" data-align="end">
                Overdue
              </th>
              <th scope="col" data-from="tablet">
                Since
              </th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(QUEUES).map(([name, label]) => {
              const { pending, overdue, overdue_since } = queues[name as keyof Queues];
              return (
                <tr key={name}>
                  <td>{label}</td>
                  <td data-align="end">{formatCount(pending)}</td>
                  <td data-align="end">{formatCount(overdue)}</td>
                  <td data-from="tablet">
                    {overdue_since === null ? (
                      <span className="quiet">–</span>
                    ) : (
                      <TimeStamp at={overdue_since} />
                    )}
                  </td>
                  <td>
                    <StatusBadge status={overdue > 0 ? "overdue" : "ok"} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
