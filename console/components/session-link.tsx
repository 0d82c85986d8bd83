import { Link } from "@tanstack/react-router";

interface SessionLinkProps {
  readonly session: { readonly id: string; readonly title: string | null };
}

/** A session by its title or first words, and by its id while it has neither; covers its row. */
export function SessionLink({ session: { id, title } }: SessionLinkProps) {
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: id }}
      className={title === null ? "row-link code" : "row-link"}
      title={title === null ? undefined : id}
    >
      {title === null ? id : <bdi>{title}</bdi>}
    </Link>
  );
}
