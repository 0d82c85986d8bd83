import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";

import type { Scope } from "../../sdk/index.ts";
import { useAccessState } from "../access/access-context.ts";

/** A page that the session may read nothing of: said in words, before anything is asked for. */
export function NoAccessPage({ scope }: { readonly scope: Scope }) {
  const access = useAccessState();
  const member = access.kind === "signed_in" ? access.session.member : null;
  return (
    <div className="empty-state">
      <title>Not for this sign-in · Reprise</title>
      <Lock size={32} aria-hidden />
      <h1>This page is not open to you</h1>
      <p>
        It needs the scope <code>{scope}</code>.{" "}
        {member
          ? `You are signed in as ${member.name}, whose role is ${member.role}: an owner of the tenant can change it.`
          : "The key that this sign-in comes from lacks it: sign in with a link of another key."}
      </p>
      <Link to="/" className="button">
        Go to the start
      </Link>
    </div>
  );
}
