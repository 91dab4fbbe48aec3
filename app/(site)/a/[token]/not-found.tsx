import { SiteFrame } from "@/components/site/frame";

export default function NoSuchLink() {
  return (
    <SiteFrame>
      <article className="mx-auto max-w-[40rem] py-12 lg:py-20">
        <p className="font-mono text-small text-muted">404</p>
        <h1 className="mt-1 text-title font-semibold tracking-tight">This link shows nothing</h1>
        <p className="mt-4 text-muted">One of these is the reason:</p>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-muted marker:text-line-strong">
          <li>The link has expired, or its owner has revoked it.</li>
          <li>The document was deleted, or belongs to somebody else since.</li>
          <li>A part of the address is missing. Capital letters count.</li>
        </ul>
        <p className="mt-4">Ask whoever sent it to you for a new one.</p>
      </article>
    </SiteFrame>
  );
}
