import type { SessionToolGroups } from "../../../../sdk/index.ts";
import { ActiveBadge, SwitchField } from "./switch-field.tsx";
import type { Switched } from "./switch-words.ts";

interface ToolRowsProps {
  readonly tools: SessionToolGroups["tools"];
  readonly isOff: boolean;
  /** Left out for a console that may not switch them. */
  readonly onSwitch?: (name: string, switched: Switched) => void;
}

/** Tools, each with whether the model has it now and how it was switched. */
export function ToolRows({ tools, isOff, onSwitch }: ToolRowsProps) {
  return (
    <ul className="tool-rows">
      {tools.map(({ name, origin, group, switched, active }) => (
        <li key={name}>
          <span className="tool-name">
            <code>{name}</code> <ActiveBadge isActive={active} />
            {origin === "session" && <span className="quiet"> the session’s own</span>}
          </span>
          <SwitchField
            what={`the tool ${name}`}
            switched={switched}
            unswitched={group === null ? "on, as it is defined" : "as its group is"}
            isOff={isOff}
            {...(onSwitch && { onSwitch: (next: Switched) => onSwitch(name, next) })}
          />
        </li>
      ))}
    </ul>
  );
}
