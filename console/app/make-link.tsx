import { useAccess } from "../access/access-context.ts";

/** Commands that make a sign-in link with a key. */
export function MakeLink() {
  const { path } = useAccess();
  const isOperators = path === "/operator";
  const key = isOperators ? "OPERATOR_KEY" : "API_KEY";
  return (
    <>
      <p>
        The console has no passwords. A link signs you in once, within ten minutes of being made.
        Where the platform runs on this machine:
      </p>
      <pre>npm run console{isOperators && " -- --operator"}</pre>
      <p>Elsewhere, with {isOperators ? "the operator's key" : "an API key"}:</p>
      <pre>{`curl -X POST ${window.location.origin}/v1/console-links \\
  -H "Authorization: Bearer $${key}" \\
  -H "Content-Type: application/json" -d '{}'`}</pre>
    </>
  );
}
