"""Records of a file, one after the other, whatever it is: a table, a sheet, JSON, Parquet."""
