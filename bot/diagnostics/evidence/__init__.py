"""What rules look at: values, and how records are read into them."""
