import type { CallReasons } from "../../sdk/index.ts";

/** Says beside *Always allow* that a rule which asks comes before it; nothing where none asked. */
export function AskRuleNote({ reasons }: { readonly reasons: CallReasons | undefined }) {
  if (reasons?.rule?.behavior !== "ask") return null;
  return (
    <p className="quiet">
      A rule asks about this call, and comes before all that allow: such calls go on asking.
    </p>
  );
}
