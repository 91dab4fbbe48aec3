export { default } from "../claim/layout";
