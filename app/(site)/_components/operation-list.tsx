import { slugOf, tags } from "@/lib/api/tags";

/** The parts of the interface. Their operations are in the documents: here each would count twice in what the page weighs. */
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
