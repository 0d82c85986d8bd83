import { useAccessState } from "../../access/access-context.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { Glance } from "./glance.tsx";
import { NextSteps } from "./next-steps.tsx";
import { TourCard } from "./tour-card.tsx";

/** The first page: the tour, what to do next, and what goes on. */
export function HomePage() {
  const state = useAccessState();
  if (state.kind !== "signed_in" || !state.session.tenant) return null;
  const { tenant } = state.session;
  return (
    <div className="detail-page">
      <PageHeader title="Home" subtitle={`What goes on in ${tenant.name}`} />
      <TourCard tenantId={tenant.id} />
      <Glance />
      <NextSteps />
    </div>
  );
}
