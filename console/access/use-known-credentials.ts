import { useQuery } from "@tanstack/react-query";

import { useMay, useReprise } from "./access-context.ts";

/** As many as the API gives at once. */
const MOST_CREDENTIALS = 100;

/** The tenant's newest credentials, for forms that suggest them. @returns `isComing` while the list is asked for. */
export function useKnownCredentials() {
  const reprise = useReprise();
  const mayRead = useMay("credentials:read");
  const { data, isPending } = useQuery({
    queryKey: ["credentials", "suggested"],
    queryFn: () => reprise.credentials.list({ limit: MOST_CREDENTIALS }).page(null),
    enabled: mayRead,
  });
  return { credentials: data?.data, isComing: mayRead && isPending };
}
