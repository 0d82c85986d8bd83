import { Link } from "@tanstack/react-router";

import type { OperatorHealth } from "../../../sdk/index.ts";
import { formatCount } from "../../components/charts/format-number.ts";

/** Tenants that the operator has stopped, and those that are being erased. */
export function StoppedTenants({
  tenants,
}: {
  readonly tenants: NonNullable<OperatorHealth["tenants"]>;
}) {
  const { suspended, closing } = tenants;
  return (
    <section className="section" aria-label="Stopped tenants">
      <h2>Stopped tenants</h2>
      {suspended.length === 0 && <p className="quiet">None is stopped.</p>}
      {suspended.length > 0 && (
        <ul className="plain-list">
          {suspended.map((id) => (
            <li key={id}>
              <Link to="/tenants/$tenantId" params={{ tenantId: id }} className="code">
                {id}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {closing > 0 && <p>{formatCount(closing)} closed and not erased yet.</p>}
    </section>
  );
}
