// Reads the template of a sentence, such as "Refund order {order_id}?". A template is text of a tenant: nothing but the
// placeholders is interpreted.

/** A piece of text as it is, or the path of a member of the input. */
export type TemplatePart = string | readonly string[];

export type Template =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  /** The problem, as a sentence that begins behind the template's name. */
  | { readonly ok: false; readonly problem: string };

const TOKEN = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g;

/**
 * `{order_id}` is a member of the input, `{customer/name}` one within a member; `~1` is a slash in a name and `~0` a
 * tilde, as in a JSON pointer. `{{` and `}}` are the braces themselves.
 */
export function readTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  for (const [token, name] of text.matchAll(TOKEN)) {
    if (name !== undefined) {
      const path = toPath(name);
      if (path.includes("")) return { ok: false, problem: `has ${token}, which names no member` };
      parts.push(path);
    } else if (token === "{" || token === "}") {
      return {
        ok: false,
        problem: `has a ${token} without its other half; write ${token}${token}`,
      };
    } else {
      parts.push(token === "{{" || token === "}}" ? token.charAt(0) : token);
    }
  }
  return { ok: true, parts };
}

function toPath(name: string): readonly string[] {
  const steps = name.trim().replace(/^\//, "").split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
