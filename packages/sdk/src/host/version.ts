/** The version of this package, as logs record it. A test holds it equal to package.json. */
export const VERSION = "0.1.0";
