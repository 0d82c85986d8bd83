import type { EndUserShare, TenantLimits } from "../../../sdk/index.ts";
import { formatCount } from "../charts/format-number.ts";

const NONE = "no limit of its own";

/** Share of one end user in the quotas. A platform that is older than the page has none. */
export function EndUserShareList({ limits }: { readonly limits: TenantLimits }) {
  const share: EndUserShare | undefined = limits.quotas.end_user_share;
  if (share === undefined) return null;
  const { sessions, running_replies, stored_bytes_percent } = share;
  const percent =
    stored_bytes_percent === null ? NONE : `${stored_bytes_percent} % of what is stored`;
  return (
    <section aria-label="Share of one end user" className="section">
      <h2>Share of one end user</h2>
      <p>
        What one end user may have of this with a token of their own. API keys are not bound by it.
      </p>
      <ul>
        <li>Sessions: {countOf(sessions)}</li>
        <li>Running replies: {countOf(running_replies)}</li>
        <li>Stored: {percent}</li>
      </ul>
    </section>
  );
}

function countOf(value: number | null): string {
  return value === null ? NONE : formatCount(value);
}
