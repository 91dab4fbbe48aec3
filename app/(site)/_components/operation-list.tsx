import { slugOf, tags } from "@/lib/api/tags";

/** The parts of the API, with links to their reference. */
export function OperationList() {
  return (
    <ul className="grid gap-2 border-t border-line pt-4">
      {tags.map(({ name, description }) => (
        <li key={name}>
          <a href={`/docs/reference/${slugOf(name)}`} className="link">
            {name}
          </a>
          : {description}
        </li>
      ))}
    </ul>
  );
}
