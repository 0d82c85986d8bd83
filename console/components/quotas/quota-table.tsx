import type { TenantLimits } from "../../../sdk/index.ts";
import { formatTime } from "../format-time.ts";
import { formatQuota, quotasOf, type QuotaWords } from "./quota-words.ts";

/** Part of a quota from which on the page says that it is nearly used up. */
const NEARLY_USED = 0.8;

/** Each quota, how much of it is used, and what happens at its end. */
export function QuotaTable({ limits }: { readonly limits: TenantLimits }) {
  return (
    <ul className="quota-list" aria-label="Quotas">
      {quotasOf(limits.quotas).map((quota) => (
        <Quota key={quota.name} words={quota} limits={limits} />
      ))}
    </ul>
  );
}

function Quota({ words, limits }: { readonly words: QuotaWords; readonly limits: TenantLimits }) {
  const { name, label, hint } = words;
  const limit = limits.quotas[name];
  const used = name === "requests" || name === "memories_per_store" ? null : limits.used[name];
  const share = used === null ? 0 : limit === 0 ? 1 : used / limit;
  const tone = share >= 1 ? "bad" : share >= NEARLY_USED ? "waiting" : "good";
  return (
    <li className="quota">
      <div className="quota-head">
        <strong>{label}</strong>
        <span>
          {used !== null && `${formatQuota(name, used)} of `}
          {formatQuota(name, limit)}
        </span>
      </div>
      {used !== null && (
        <div
          className="quota-bar"
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(limit, used)}
          aria-valuenow={used}
          aria-valuetext={`${formatQuota(name, used)} of ${formatQuota(name, limit)}`}
        >
          <div data-tone={tone} style={{ width: `${Math.min(100, share * 100)}%` }} />
        </div>
      )}
      <p className="quota-note" data-tone={tone}>
        {tone === "bad" && "Reached. "}
        {tone === "waiting" && "Nearly reached. "}
        {used === null ? hint : share >= NEARLY_USED ? hint : `At the limit: ${lower(hint)}`}
        {name === "tokens_per_day" && ` Counted anew from ${formatTime(limits.day_ends_at)}.`}
      </p>
    </li>
  );
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
