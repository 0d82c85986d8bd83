import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

/** Milliseconds for which the button says that it has copied. */
const SHOWN_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** Name of the copied value, such as "session id". */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <button
      type="button"
      className="button button-icon button-small"
      aria-label={`Copy the ${what}`}
      title={`Copy the ${what}`}
      onClick={() => {
        // Refused where the page has no permission, such as without https.
        navigator.clipboard.writeText(text).then(
          () => setOutcome("copied"),
          () => setOutcome("failed"),
        );
      }}
    >
      <Icon size={14} aria-hidden />
      <span role="status" className="visually-hidden">
        {outcome === "copied" && "Copied"}
        {outcome === "failed" && "Copying is not allowed here"}
      </span>
    </button>
  );
}
