import type { CallReasons } from "../../sdk/index.ts";
import { RuleText } from "./rule-text.tsx";
import { reasonWords } from "./words/reason-words.ts";

/** Why a call asks: in words, by which rule, and where untrusted content is from. */
export function CallReasonsText({ reasons }: { readonly reasons: CallReasons | undefined }) {
  if (!reasons) return null;
  const { rule, untrusted } = reasons;
  return (
    <p className="quiet call-reasons">
      Asks because: {reasonWords(reasons)}
      {rule && (
        <>
          {" · "}
          <RuleText rule={rule} />
        </>
      )}
      {untrusted.length > 0 && (
        <>
          {" · from "}
          {untrusted.map(({ tool_name, tool_call_id }, index) => (
            <span key={tool_call_id}>
              {index > 0 && ", "}
              <code title={tool_call_id}>{tool_name}</code>
            </span>
          ))}
        </>
      )}
    </p>
  );
}
