import { INTERRUPT_REMARK_MS } from "../../protocol/replies/limits.ts";

interface LimitedRemark {
  /** Aborted when the time is over, or with `stop`. */
  readonly limit: AbortController;
  readonly release: () => void;
}

/** The time of the text after an interrupt, which begins now. */
export function limitRemark(stop: AbortSignal): LimitedRemark {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, INTERRUPT_REMARK_MS);
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  const release = () => {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  };
  return { limit, release };
}
