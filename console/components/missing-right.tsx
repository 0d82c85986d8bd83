import type { ReactNode } from "react";

import { type Right, useAccessState, useMay } from "../access/access-context.ts";

interface MissingRightProps {
  readonly right: Right;
  /** Begin of a sentence: acts that cannot be done here without it. */
  readonly children: ReactNode;
}

/** A sentence in place of what the person's role does not allow; nothing where it does. */
export function MissingRight({ right, children }: MissingRightProps) {
  const access = useAccessState();
  const isHeld = useMay(right);
  if (isHeld || access.kind !== "signed_in") return null;
  const { member } = access.session;
  return (
    <p className="quiet">
      {children}:{" "}
      {member
        ? `your role, ${member.role}, only reads. An owner can give you another one.`
        : `this sign-in lacks ${right}.`}
    </p>
  );
}
