import type { ReactNode } from "react";

interface Stat {
  readonly label: string;
  readonly value: ReactNode;
  /** Text below the value. */
  readonly note?: ReactNode;
}

/** The few numbers that a page is about. */
export function StatCards({
  label,
  stats,
}: {
  readonly label: string;
  readonly stats: readonly Stat[];
}) {
  return (
    <dl className="stat-cards" aria-label={label}>
      {stats.map((stat) => (
        <div key={stat.label} className="stat-card">
          <dt>{stat.label}</dt>
          <dd>
            <span className="stat-value">{stat.value}</span>
            {stat.note !== undefined && <span className="stat-note">{stat.note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
