export default function NotFound() {
  return (
    <div className="mx-auto max-w-[40rem] px-4 py-16">
      <h1 className="text-title font-semibold tracking-tight">Nothing here for you</h1>
      <p className="mt-3 text-muted">
        What had this ID is deleted, was never there, or belongs to an organization that you are not
        looking at. IDs are long, and capital letters count.
      </p>
      <p className="mt-4">
        <a href="/dashboard" className="link">
          Overview
        </a>
      </p>
    </div>
  );
}
