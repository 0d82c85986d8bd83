import type { Switched } from "./switch-words.ts";

interface SwitchFieldProps {
  /** Name of the group or tool, such as "the group browser". */
  readonly what: string;
  readonly switched: Switched;
  /** State without a switch, such as "as its group". */
  readonly unswitched: string;
  /** While another switch is on its way. */
  readonly isOff: boolean;
  /** Left out for a console that may not switch it. */
  readonly onSwitch?: (switched: Switched) => void;
}

/** Whether something is switched on or off, or left as it is defined. */
export function SwitchField({ what, switched, unswitched, isOff, onSwitch }: SwitchFieldProps) {
  if (!onSwitch) {
    return <span className="quiet">{switched === null ? unswitched : `switched ${switched}`}</span>;
  }
  return (
    <select
      className="input switch-field"
      aria-label={`Switch ${what}`}
      value={switched ?? ""}
      // Not `disabled`, which would take the keyboard's focus away in the middle of a row of switches.
      aria-disabled={isOff}
      onChange={({ currentTarget: { value } }) => {
        if (!isOff) onSwitch(value === "on" || value === "off" ? value : null);
      }}
    >
      <option value="">{unswitched}</option>
      <option value="on">switched on</option>
      <option value="off">switched off</option>
    </select>
  );
}

/** Whether the model has it now. */
export function ActiveBadge({ isActive }: { readonly isActive: boolean }) {
  return (
    <span className="badge" data-tone={isActive ? "good" : "quiet"}>
      {isActive ? "active" : "not active"}
    </span>
  );
}
