import type { ReactNode } from "react";

import type { SessionToolGroups } from "../../../../sdk/index.ts";
import { ActiveBadge, SwitchField } from "./switch-field.tsx";
import type { Switched } from "./switch-words.ts";

interface GroupCardProps {
  readonly group: SessionToolGroups["groups"][number];
  readonly isOff: boolean;
  /** Left out for a console that may not switch it. */
  readonly onSwitch?: (switched: Switched) => void;
  /** Its tools. */
  readonly children: ReactNode;
}

/** A group of tools with what it is for, and what the model is told while it is active. */
export function GroupCard({ group, isOff, onSwitch, children }: GroupCardProps) {
  const { name, description, notes, active, switched } = group;
  return (
    <section className="panel" aria-label={`Group ${name}`}>
      <div className="panel-head">
        <h2 className="tool-name">
          <span className="code">{name}</span> <ActiveBadge isActive={active} />
        </h2>
        <SwitchField
          what={`the group ${name}`}
          switched={switched}
          unswitched="as the agent defines it"
          isOff={isOff}
          {...(onSwitch && { onSwitch })}
        />
      </div>
      <p className="plain-text">{description}</p>
      {notes !== null && (
        <p className="plain-text tool-notes">
          <span className="quiet">Told while it is active: </span>
          {notes}
        </p>
      )}
      {children}
    </section>
  );
}
