export default function NotFound() {
  return (
    <div className="mx-auto max-w-[40rem] px-4 py-16">
      <h1 className="text-title font-semibold tracking-tight">Not found</h1>
      <p className="mt-3 text-muted">
        It may have been deleted, or belongs to another organization. IDs are case-sensitive.
      </p>
      <p className="mt-4">
        <a href="/dashboard" className="link">
          Overview
        </a>
      </p>
    </div>
  );
}
