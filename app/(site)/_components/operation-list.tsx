import { slugOf, tags } from "@/lib/api/tags";

/** The parts of the API, with links to their OpenAPI documents. */
export function OperationList() {
  return (
    <ul className="grid gap-2 border-t border-line pt-4">
      {tags.map(({ name, description }) => (
        <li key={name}>
          <a href={`/openapi/${slugOf(name)}.json`} className="link">
            {name}
          </a>
          : {description}
        </li>
      ))}
    </ul>
  );
}
