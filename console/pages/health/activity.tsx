import type { OperatorHealth } from "../../../sdk/index.ts";
import { formatCount } from "../../components/charts/format-number.ts";
import { StackedBars } from "../../components/charts/stacked-bars.tsx";
import { StatCards } from "../../components/charts/stat-cards.tsx";
import { ENDS, toSlots } from "./to-slots.ts";

type HealthActivity = NonNullable<OperatorHealth["activity"]>;

interface ActivityProps {
  readonly activity: HealthActivity;
  readonly checkedAt: string;
}

/** Activity of the last hour, in slots of ten minutes. */
export function Activity({ activity, checkedAt }: ActivityProps) {
  const { replies, sessions_opened, errors } = activity;
  const total = ENDS.reduce((sum, [end]) => sum + replies[end], 0);
  return (
    <section className="section" aria-label="Activity">
      <h2>The last hour</h2>
      <StatCards
        label="In the last hour"
        stats={[
          { label: "Replies that ended", value: formatCount(total) },
          {
            label: "Failed",
            value: formatCount(replies.error),
            note:
              replies.error === 0 ? undefined : `${((100 * replies.error) / total).toFixed(1)} %`,
          },
          { label: "Stopped", value: formatCount(replies.interrupted) },
          { label: "Sessions opened", value: formatCount(sessions_opened) },
        ]}
      />
      <StackedBars
        label="Replies by how they ended"
        unit="Replies"
        columnUnit="Ten minutes from"
        data={{
          series: ENDS.map(([, label]) => label),
          columns: toSlots(activity, checkedAt),
        }}
        format={formatCount}
        formatTick={(value) => (Number.isInteger(value) ? formatCount(value) : "")}
      />
      {errors.length > 0 && (
        <table className="table small-table" aria-label="Errors of replies">
          <thead>
            <tr>
              <th scope="col">Error</th>
              <th scope="col" data-align="end">
                Replies
              </th>
            </tr>
          </thead>
          <tbody>
            {errors.map((error) => (
              <tr key={error.type}>
                <td className="code">{error.type}</td>
                <td data-align="end">{formatCount(error.replies)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
