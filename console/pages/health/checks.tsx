import { CircleCheck, CircleX } from "lucide-react";

import type { OperatorHealth } from "../../../sdk/index.ts";

const CHECKS = {
  secrets: "Secrets",
  variables: "Variables",
  bindings: "Bindings",
  rate_limits: "Rate limiters",
  database: "Migrations",
  objects: "Durable Objects",
} as const satisfies Record<keyof OperatorHealth["readiness"]["checks"], string>;

/** Needs of the deployment, whether each is met, and the remedy for one that is not. */
export function Checks({ health }: { readonly health: OperatorHealth }) {
  const { readiness, database, files } = health;
  const checks = Object.entries(CHECKS).map(([name, label]) => ({
    label,
    isFine: readiness.checks[name as keyof typeof CHECKS] === "ok",
    note: null,
  }));
  const stores = [
    { label: "Database", reach: database },
    { label: "Files", reach: files },
  ].map(({ label, reach }) => ({
    label,
    isFine: reach.status === "ok",
    note: `${reach.ms.toLocaleString()} ms`,
  }));
  return (
    <section className="section" aria-label="Readiness">
      <h2>Readiness</h2>
      <ul className="checks">
        {[...stores, ...checks].map(({ label, isFine, note }) => (
          <li key={label} data-tone={isFine ? "good" : "bad"}>
            {isFine ? <CircleCheck size={18} aria-hidden /> : <CircleX size={18} aria-hidden />}
            <span>{label}</span>
            <span className="quiet">{isFine ? (note ?? "ok") : "failed"}</span>
          </li>
        ))}
      </ul>
      {readiness.missing.map(({ name, problem, fix, docs }) => (
        <div key={name} className="gap" role="note">
          <strong className="code">{name}</strong>
          <p>{problem}</p>
          <p>{fix}</p>
          <p className="quiet code">{docs}</p>
        </div>
      ))}
    </section>
  );
}
