import DefaultTheme from "vitepress/theme";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet is imported for what it does
import "./style.css";

export default DefaultTheme;
