import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { useState } from "react";

import { ApiError, type AuthorizationRequired } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { failureText } from "../failure-text.ts";
import { TextField } from "../forms/fields.tsx";
import { AddressView } from "./address-view.tsx";

interface SignInFormProps {
  readonly authorization: AuthorizationRequired;
  /** Whose session waits; null when that is not known, or it has none. */
  readonly endUserId: string | null;
  readonly isDisabled: boolean;
  readonly onDone?: () => void;
  /** Ends the wait without a sign-in; left out where no call waits. */
  readonly onRefuse?: () => void;
}

/**
 * A sign-in that a call waits for: the address, and the code that the page at its end shows. The code is pasted, since no
 * window that this page opens can send it a message: the console cuts the tie (`Cross-Origin-Opener-Policy`).
 */
export function SignInForm(props: SignInFormProps) {
  const { authorization, endUserId, isDisabled, onDone, onRefuse } = props;
  const { connection_id, mcp_server_id, url, expires_at } = authorization;
  const reprise = useReprise();
  const queries = useQueryClient();
  const failureKey = ["sign-in-failure", connection_id];
  const mayRead = useMay("agents:read");
  const [code, setCode] = useState("");
  const [isEmpty, setIsEmpty] = useState(false);
  const { data: server } = useQuery({
    queryKey: ["mcp-server", mcp_server_id],
    queryFn: () => reprise.mcpServers.get(mcp_server_id),
    enabled: mayRead,
  });
  const { error, isPending, isSuccess, mutate } = useMutation({
    mutationFn: (given: string) => reprise.connections.complete(connection_id, given),
    onMutate: () => void queries.setQueryData(failureKey, null),
    onError: (failure) => void queries.setQueryData(failureKey, failure),
    onSuccess: onDone,
  });
  // A refused code makes the call ask anew, in a form of its own, which may be there before the refusal is: it says why.
  const { data: told = null } = useQuery<Error | null>({
    queryKey: failureKey,
    queryFn: () => null,
    enabled: false,
  });
  const failure = isPending ? null : (error ?? told);
  const isOver = Date.parse(expires_at) <= Date.now();
  const isStopped = isDisabled || isPending || isSuccess;
  const name = server?.name ?? mcp_server_id;

  return (
    <form
      className="approval question"
      aria-label={`Sign-in at ${name}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const given = code.trim();
        setIsEmpty(given === "");
        if (given !== "") mutate(given);
      }}
    >
      <p className="question-from">
        <LogIn size={16} aria-hidden />
        <span>
          The MCP server <strong className="code">{name}</strong> wants a sign-in
        </span>
      </p>
      <p className="quiet">{whoseGrant(server?.oauth?.owner, endUserId)}</p>
      {isOver && (
        <p className="notice" data-tone="waiting">
          The time for this sign-in is over. The next call of a tool asks for a new one.
        </p>
      )}
      <ol className="sign-in-steps">
        <li>
          <span>Open the page, and sign in there.</span>
          <AddressView url={url} what="sign-in page" />
        </li>
        <li>
          <TextField
            label="Code"
            hint="The page at the end of the sign-in shows it; it begins with sc_."
            error={isEmpty ? "Paste the code that the page at the end shows." : null}
            isCode
            isDisabled={isStopped}
            value={code}
            onChange={setCode}
          />
        </li>
      </ol>
      {failure && !isSuccess && (
        <p role="alert" className="field-error">
          {failureText(failure)}
          {isOfIssuer(failure) && " Open the page again, and take the code that it shows then."}
        </p>
      )}
      {isSuccess && (
        <p role="status" className="notice" data-tone="good">
          Signed in. What waited for it goes on.
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button button-primary" data-answers disabled={isStopped}>
          {isPending ? "Completing…" : "Complete the sign-in"}
        </button>
        {onRefuse && (
          <button
            type="button"
            className="button"
            data-answers
            disabled={isStopped}
            onClick={onRefuse}
          >
            Refuse to sign in
          </button>
        )}
      </div>
    </form>
  );
}

/** The authorization server has refused the code: the calls ask anew, with another address. */
function isOfIssuer(error: Error): boolean {
  return ApiError.isInstance(error) && error.code === "mcp_failed";
}

function whoseGrant(owner: "tenant" | "end_user" | undefined, endUserId: string | null): string {
  if (owner === "tenant") {
    return "The grant will be the tenant's own: all of its end users act with it.";
  }
  if (endUserId === null) return "Sign in as the person for whom this conversation acts.";
  return `The grant will be that of the end user ${endUserId}: only they should sign in here, or you in their name. Calls of their sessions act with it from then on.`;
}
