import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";

import { type Right, useAccessState } from "../access/access-context.ts";

/** A page that the session may read nothing of: said in words, before anything is asked for. */
export function NoAccessPage({ scope }: { readonly scope: Right }) {
  const access = useAccessState();
  const session = access.kind === "signed_in" ? access.session : null;
  const member = session?.member;
  const isOperators = session?.tenant === null;
  return (
    <div className="empty-state">
      <title>Not for this sign-in · Reprise</title>
      <Lock size={32} aria-hidden />
      <h1>This page is not open to you</h1>
      <p>
        It needs the {isOperators ? "right" : "scope"} <code>{scope}</code>.{" "}
        {member
          ? `You are signed in as ${member.name}, whose role is ${member.role}: an owner of ${isOperators ? "this console" : "the tenant"} can change it.`
          : "The key that this sign-in comes from lacks it: sign in with a link of another key."}
      </p>
      <Link to="/" className="button">
        Go to the start
      </Link>
    </div>
  );
}
